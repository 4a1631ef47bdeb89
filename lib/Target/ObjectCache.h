//===- ObjectCache.h - Machine code that was made before --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TARGET_OBJECTCACHE_H
#define CONVOY_LIB_TARGET_OBJECTCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::convoy {

/// Objects in files of a folder, called after all that they are made of. What
/// cannot be read, or is damaged, is not there; what cannot be written is not
/// kept.
class ObjectCache {
public:
  /// The one in the folder that CONVOY_OBJECT_CACHE names, or with 1 in the
  /// user's for what can be made again; none where it is 0, or not set.
  static std::optional<ObjectCache> fromEnvironment();

  /// What the object of `module`, which nothing has optimized yet, is called.
  static std::string getKey(const llvm::Module &module,
                            const llvm::TargetMachine &machine,
                            unsigned optLevel);

  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef key) const;
  void add(llvm::StringRef key, llvm::StringRef object) const;

private:
  explicit ObjectCache(std::string folder) : folder(std::move(folder)) {}
  std::string getPath(llvm::StringRef key) const;

  std::string folder;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TARGET_OBJECTCACHE_H
