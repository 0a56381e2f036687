"""What the window shows, a module a screen; each calls the job of the command."""
