"""The clock: deadlines, absences, reminders, and permission to adjudicate."""
