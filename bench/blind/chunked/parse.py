"""The events of a request that h11 reads as a server, up to its end."""
import h11


def parse(data):
    connection, events = h11.Connection(h11.SERVER), []
    connection.receive_data(data)
    connection.receive_data(b"")
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError as e:
            raise ValueError(str(e)) from None
        if event in (h11.NEED_DATA, h11.PAUSED):
            return events
        events.append([type(event).__name__, *(repr(getattr(event, n)) for n in ("method", "target", "data") if hasattr(event, n))])
        if isinstance(event, (h11.EndOfMessage, h11.ConnectionClosed)):
            return events
