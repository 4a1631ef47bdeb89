//===- KeepLibraries.c - Drivers of Vulkan stay loaded --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Preloaded under AddressSanitizer: it knows a leak by the name of a library,
// which it finds while the library is loaded. Others are unloaded, since a
// later one may have the same name.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>

int dlclose(void *library) {
  struct link_map *map;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 &&
      (strstr(map->l_name, "/libvulkan_") ||
       strstr(map->l_name, "/libVkLayer_")))
    return 0;
  int (*unload)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
  return unload(library);
}
