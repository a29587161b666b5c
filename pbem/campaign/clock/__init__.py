"""The clock: deadlines, absences, reminders, and whether a stage may be adjudicated."""
