"""Files that are written whole or not at all. Imports nothing of the project.

read, whole, write_whole    one file
prepared, written           a folder of files
"""

from files.file import read, whole, write_whole
from files.folder import prepared, written

__all__ = ["prepared", "read", "whole", "write_whole", "written"]
