"""Runs every GoogleTest program of the build's test/unit; each case counts."""

import lit.formats

config.name = "ConvoyUnit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_source_root = config.unit_obj_root
# Vulkan devices are used with validation layers in every test, and leave the
# user's cache alone.
config.environment["CONVOY_VULKAN_VALIDATE"] = "1"
config.environment["CONVOY_VULKAN_CACHE"] = "0"
config.environment.update(config.sanitizer_environment)
config.test_exec_root = config.unit_obj_root
