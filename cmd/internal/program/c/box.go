package c

import (
	"context"
	"fmt"
	"os"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/program"
)

// box runs the tool in the sandbox in which package nativebuild builds versions: without network,
// with two writable folders, one of them private. It is clang.Making.Box.
func (n *Variants) box(ctx context.Context, folder string, env, args []string) (string, error) {
	s, err := confine.Open(ctx, confine.Options{Tool: n.Sandbox.Tool, Dir: n.Sandbox.Dir, Hold: quota.None, Writable: []string{folder}})
	if err != nil {
		return "", err
	}
	defer s.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("making a pipe: %w", err)
	}
	p, err := s.Start(confine.Command{Path: n.Sandbox.Tool, Args: append([]string{"parallax"}, args...), Env: s.Environ(env), Dir: folder, Stderr: w})
	w.Close()
	if err != nil {
		r.Close()
		return "", err
	}
	stop := context.AfterFunc(ctx, p.Kill)
	defer stop()
	tail := program.NewTail(r)
	go tail.Drain()
	status := p.Wait()
	tail.End()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return tail.Text(), status.Err
}
