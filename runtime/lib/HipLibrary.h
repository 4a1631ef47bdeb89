//===- HipLibrary.h - HIP's functions, opened at run time -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types are those of HIP's own headers, so that a wrong call is an error of
// the compiler; programs are linked with no HIP.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_HIPLIBRARY_H
#define CONVOY_RUNTIME_LIB_HIPLIBRARY_H

#include "DeviceBackend.h"
#include "DeviceChoice.h"

// Overloads in C++ would leave the types of functions open.
#define __HIP_DISABLE_CPP_FUNCTIONS__
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include <memory>
#include <new>

namespace convoy {

/// All functions that are used. Each is there from HIP 4.2 on, with the same
/// meaning since: later `hipDeviceProp_t`s go with functions of other names,
/// which HIP's headers then define these names as.
#define CONVOY_HIP_FUNCTIONS(F)                                                \
  F(hipDeviceReset)                                                            \
  F(hipEventCreate)                                                            \
  F(hipEventDestroy)                                                           \
  F(hipEventElapsedTime)                                                       \
  F(hipEventRecord)                                                            \
  F(hipFree)                                                                   \
  F(hipGetDeviceCount)                                                         \
  F(hipGetDeviceProperties)                                                    \
  F(hipGetErrorName)                                                           \
  F(hipInit)                                                                   \
  F(hipMalloc)                                                                 \
  F(hipMemcpyAsync)                                                            \
  F(hipMemsetAsync)                                                            \
  F(hipModuleGetFunction)                                                      \
  F(hipModuleLaunchKernel)                                                     \
  F(hipModuleLoadData)                                                         \
  F(hipModuleUnload)                                                           \
  F(hipRuntimeGetVersion)                                                      \
  F(hipSetDevice)                                                              \
  F(hipStreamCreateWithFlags)                                                  \
  F(hipStreamDestroy)                                                          \
  F(hipStreamSynchronize)

/// Owns an object of HIP; the second argument releases it.
template <typename Object>
using HipOwner = std::unique_ptr<Object, hipError_t (*)(Object *)>;

/// A kernel has failed, after which no call for the device works.
struct HipDeviceLost : DeviceFailure {
  using DeviceFailure::DeviceFailure;
};

/// The library libamdhip64.
class HipLibrary {
public:
  /// Opens the library that CONVOY_HIP_LIBRARY names; or else that of the ROCm
  /// in the folder ROCM_PATH, if that is set; or else the newest that is
  /// installed, or that in /opt/rocm; and initializes it. Throws where there is
  /// none.
  HipLibrary();

#define CONVOY_HIP_MEMBER(NAME) decltype(&::NAME) NAME = nullptr;
  CONVOY_HIP_FUNCTIONS(CONVOY_HIP_MEMBER)
#undef CONVOY_HIP_MEMBER

  /// Throws where `error` is one; `call` is the function that returned it.
  void check(hipError_t error, const char *call) const;

  /// What its devices are; none is no error.
  std::vector<hipDeviceProp_t> getDevices() const;
  /// The version of HIP as 100 * major + minor.
  int getVersion() const;

  /// Calls `body`. Returns the status of what it throws.
  template <typename Body>
  static int guarded(Body body) {
    try {
      body();
      return CONVOY_OK;
    } catch (const DeviceFailure &failure) {
      return fail(failure.status, failure.what());
    } catch (const std::bad_alloc &) {
      return fail(CONVOY_INVALID, "there is not enough host memory");
    }
  }

private:
  void initialize();
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_HIPLIBRARY_H
