//===- KeepLibraries.c - Libraries that are never unloaded ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Preloaded under AddressSanitizer: it knows a leak by the name of a library,
// which it finds while the library is loaded.
//
//===----------------------------------------------------------------------===//

int dlclose(void *library) {
  (void)library;
  return 0;
}
