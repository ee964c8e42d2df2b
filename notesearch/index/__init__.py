"""The write path: brings the store in line with the files of the folder."""
