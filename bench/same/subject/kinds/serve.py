"""Serves number.parse over HTTP."""
import http.server
import sys

import number


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece: the second of two waits for an acknowledgement

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            code, answer = 200, number.parse(body.decode("ascii"))
        except ValueError:
            code, answer = 400, "no number"
        except AssertionError:
            code, answer = 500, "failed"
        self.send_response(code)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
