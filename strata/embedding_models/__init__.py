"""Embedding models: fetched, checked and kept in the bundle's own folder."""

from __future__ import annotations

import os

# From 1.29 on, ONNX Runtime for Linux and macOS sends usage data and keeps a device id in
# the user's home. It looks at its variable once, when it is loaded, and whoever runs a
# model comes through this package before that. The hub's client does the same.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
