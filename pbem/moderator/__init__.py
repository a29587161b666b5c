"""Work of the moderator: founding campaigns, taking letters, carrying out orders, writing mails. Nothing in this
package prints."""
