"""Files change here and nowhere else."""
