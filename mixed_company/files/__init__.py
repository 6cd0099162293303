"""Files that are written whole or not at all, and pages of several. Imports nothing of the project.

read, whole, write_whole    one file
prepared, written           a folder of files
standing_alone              a page with the files that it needs
toml                        what a TOML file says
"""

from mixed_company.files.file import read, whole, write_whole
from mixed_company.files.folder import prepared, written
from mixed_company.files.page import standing_alone
from mixed_company.files.toml import toml

__all__ = ["prepared", "read", "standing_alone", "toml", "whole", "write_whole", "written"]
