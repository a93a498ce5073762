-- A jump back.
::again::
goto again
