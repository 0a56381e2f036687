"""Who judges what was said: a small learned judge, a language model, and the law."""

import os

# Before numpy is loaded: its OpenBLAS would start a thread for each processor, and these
# wait for one another longer than a product of our size takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
