"""Before a session: is everything as it should be? In plain sentences, go or no go.

finding   one sentence, and what it means for starting
setting   the server: password, key, debugging, REST, address
database  where the data go, and what time it is there
pay       what people will earn, against cap and budget
plan      all of these, of the server and of one session
session   one session config: people, times, links, what is said about bots
words     is all that people read there in the session's language
"""

from mixed_company.server.preflight.finding import Finding, Verdict

__all__ = ["Finding", "Verdict"]
