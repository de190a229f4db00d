// Package redis speaks to redis-server, and to miniredis in its place: a Client has the same
// methods for both, one for each command.
package redis

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// ErrUnknown is the error of a command that the server does not have.
var ErrUnknown = errors.New("unknown command")

// Client is a connection to a server without any keys.
type Client struct {
	conn  net.Conn
	from  *bufio.Reader
	pass  func(minutes uint) error
	close func()
}

// Miniredis starts a server of miniredis, which needs no network for one client.
func Miniredis() (*Client, error) {
	m := miniredis.NewMiniRedis()
	conn, err := m.Dial()
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, from: bufio.NewReader(conn), close: m.Close}
	c.pass = func(minutes uint) error {
		m.FastForward(time.Duration(minutes) * time.Minute)
		return nil
	}
	return c, nil
}

// socket is where the service of model.toml listens: in the folder that it shares with this
// process.
const socket = "/service/redis.sock"

// Server connects to redis-server and removes all keys. Other state of a previous sequence belongs
// to its connection, such as the database. Or it belongs to commands that Client does not have:
// settings, scripts and functions, users, subscriptions.
func Server() (*Client, error) {
	conn, err := dial()
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, from: bufio.NewReader(conn), close: func() {}}
	c.pass = c.older
	reply, err := c.do("FLUSHALL", "SYNC")
	if err == nil && reply != "OK" {
		err = errors.New("FLUSHALL: " + reply)
	}
	return c, err
}

// dial waits for a server that is just starting.
func dial() (conn net.Conn, err error) {
	const wait, times = 10 * time.Millisecond, 800
	for i := 0; i < times; i++ {
		if conn, err = net.Dial("unix", socket); err == nil {
			return conn, nil
		}
		time.Sleep(wait)
	}
	return nil, err
}

// older has keys expire sooner, as they do when time passes.
func (c *Client) older(minutes uint) error {
	keys, err := c.list("KEYS", "*")
	for _, key := range keys {
		left, err := c.do("PTTL", key)
		if err != nil {
			return err
		}
		ms, err := strconv.ParseInt(left, 10, 64)
		if err != nil {
			return err
		}
		if ms < 0 { // it never expires
			continue
		}
		if _, err := c.do("PEXPIRE", key, strconv.FormatInt(ms-int64(minutes)*60_000, 10)); err != nil {
			return err
		}
	}
	return err
}

// Close ends the connection, and miniredis.
func (c *Client) Close() {
	c.conn.Close()
	c.close()
}

// do sends a command. An error has the first word of the server's message, such as WRONGTYPE, on
// which clients rely.
func (c *Client) do(words ...string) (string, error) {
	reply, err := c.send(words)
	if err != nil {
		return "", err
	}
	return show(reply), nil
}

// list is do for commands that return a list of texts.
func (c *Client) list(words ...string) ([]string, error) {
	reply, err := c.send(words)
	var texts []string
	for _, one := range reply.list {
		texts = append(texts, one.text)
	}
	return texts, err
}

// sorted is do for commands whose list has no order. together is the number of entries that belong
// together.
func (c *Client) sorted(together int, words ...string) (string, error) {
	reply, err := c.send(words)
	if err != nil || reply.kind != '*' {
		return show(reply), err
	}
	var entries []string
	for i := 0; i+together <= len(reply.list); i += together {
		entries = append(entries, show(value{kind: '*', list: reply.list[i : i+together]}))
	}
	sort.Strings(entries)
	return strings.Join(entries, " "), nil
}

// value is a reply.
type value struct {
	kind byte // as in the protocol; '_' for none
	text string
	list []value
}

func (c *Client) send(words []string) (value, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	if _, err := io.WriteString(c.conn, b.String()); err != nil {
		return value{}, err
	}
	reply, err := c.read()
	if err == nil && reply.kind == '-' && strings.HasPrefix(reply.text, "ERR unknown command") {
		err = ErrUnknown
	}
	return reply, err
}

func (c *Client) read() (v value, err error) {
	line, err := c.from.ReadString('\n')
	if err != nil {
		return v, err
	}
	line = strings.TrimSuffix(line, "\r\n")
	if line == "" {
		return v, errors.New("an empty reply")
	}
	v.kind, v.text = line[0], line[1:]
	if v.kind != '$' && v.kind != '*' {
		return v, nil
	}
	n, err := strconv.Atoi(v.text)
	if err != nil {
		return v, err
	}
	if n < 0 {
		return value{kind: '_'}, nil
	}
	if v.kind == '$' {
		text := make([]byte, n+2)
		_, err := io.ReadFull(c.from, text)
		v.text = string(text[:n])
		return v, err
	}
	v.text = ""
	for i := 0; i < n && err == nil; i++ {
		var one value
		one, err = c.read()
		v.list = append(v.list, one)
	}
	return v, err
}

func show(v value) string {
	switch v.kind {
	case '_':
		return "nil"
	case '-':
		word, _, _ := strings.Cut(v.text, " ")
		return "error " + word
	case '$':
		return strconv.Quote(v.text)
	case '*':
		var list []string
		for _, one := range v.list {
			list = append(list, show(one))
		}
		return "[" + strings.Join(list, " ") + "]"
	}
	return v.text
}
