"""Runs every GoogleTest program of the build's test/unit; each case counts."""

import lit.formats

config.name = "ConvoyUnit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_source_root = config.unit_obj_root
config.test_exec_root = config.unit_obj_root
