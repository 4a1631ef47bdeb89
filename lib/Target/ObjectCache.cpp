//===- ObjectCache.cpp - Machine code that was made before ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectCache.h"

#include "convoy/Support/Sha256.h"
#include "convoy/Support/Version.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <span>

using namespace mlir;
using namespace mlir::convoy;

/// Digits of a digest, which a file begins with.
static constexpr size_t kDigits = 64;

/// Where the folder is pruned: what was not used for a week, and more than
/// this.
static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

static std::string digest(llvm::StringRef text) {
  return ::convoy::sha256(std::as_bytes(std::span(text.data(), text.size())));
}

/// The user's folder for what can be made again; empty where there is none.
static std::string findUserFolder() {
  llvm::SmallString<128> folder;
  if (!llvm::sys::path::cache_directory(folder))
    return "";
  llvm::sys::path::append(folder, "convoy", "objects");
  return folder.str().str();
}

std::optional<ObjectCache> ObjectCache::fromEnvironment() {
  std::string folder =
      llvm::sys::Process::GetEnv("CONVOY_OBJECT_CACHE").value_or("");
  if (folder == "1")
    folder = findUserFolder();
  if (folder.empty() || folder == "0")
    return std::nullopt;
  return ObjectCache(folder);
}

std::string ObjectCache::getKey(const llvm::Module &module,
                                const llvm::TargetMachine &machine,
                                unsigned optLevel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << ::convoy::getVersion() << '\0' << LLVM_VERSION_STRING << '\0'
     << machine.getTargetTriple().str() << '\0' << machine.getTargetCPU()
     << '\0' << machine.getTargetFeatureString() << '\0' << optLevel << '\0';
  llvm::WriteBitcodeToFile(module, os);
  return digest(text);
}

std::string ObjectCache::getPath(llvm::StringRef key) const {
  llvm::SmallString<128> path(folder);
  // What LLVM prunes begins so.
  llvm::sys::path::append(path, "llvmcache-" + key);
  return path.str().str();
}

std::unique_ptr<llvm::MemoryBuffer>
ObjectCache::find(llvm::StringRef key) const {
  auto file = llvm::MemoryBuffer::getFile(getPath(key), /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return nullptr;
  llvm::StringRef content = (*file)->getBuffer();
  llvm::StringRef object = content.substr(kDigits);
  if (content.size() < kDigits || digest(object) != content.take_front(kDigits))
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(object, "convoy");
}

void ObjectCache::add(llvm::StringRef key, llvm::StringRef object) const {
  if (llvm::sys::fs::create_directories(folder))
    return;
  // Others see all of the file, or none.
  llvm::consumeError(
      llvm::writeToOutput(getPath(key), [&](llvm::raw_ostream &os) {
        os << digest(object) << object;
        return llvm::Error::success();
      }));
  llvm::CachePruningPolicy policy;
  policy.MaxSizeBytes = kMostBytes;
  llvm::pruneCache(folder, policy);
}
