"""The stories: stages in order, one module a job."""
