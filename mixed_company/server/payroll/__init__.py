"""Paying the people of a session: a list to sign, and files for panels.

lines      who is paid what, from the database
files      the lists as CSV
addresses  the page to print, and the files
"""
