"""Files that are written whole or not at all, and pages of several. Imports nothing of the project.

read, whole, write_whole    one file
prepared, written           a folder of files
standing_alone              a page with the files that it needs
toml                        what a TOML file says
"""

from files.file import read, whole, write_whole
from files.folder import prepared, written
from files.page import standing_alone
from files.toml import toml

__all__ = ["prepared", "read", "standing_alone", "toml", "whole", "write_whole", "written"]
