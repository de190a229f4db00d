package serve

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"parallax/cmd/internal/show/page"
)

// The guard checks each request before a view gets it: host, origin and token.

// maxBody bounds the body of a request. The largest comment takes a third of it in a form.
const maxBody = 64 << 10

// guard wraps the views.
func (s *Server) guard(views http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, http.StatusForbidden, "The request comes from another site. Open the page itself, and try again.")
	}))
	inner := origins.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if reading := r.Method == http.MethodGet || r.Method == http.MethodHead; !s.signed(r) && r.URL.Path != "/login" && !(reading && s.o.Open) {
			s.unsigned(w, r)
			return
		}
		views.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", page.LivePolicy())
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if s.o.Hosts != nil && !slices.Contains(s.o.Hosts, strings.ToLower(r.Host)) {
			http.Error(w, "parallax serves no host of this name: open the address that it printed", http.StatusMisdirectedRequest)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		inner.ServeHTTP(w, r)
	})
}

// cookie returns the name and the value of the cookie of a visitor who has given the token. The
// token cannot be computed from them. Pages on other ports of the host get the cookie, too, so the
// name depends on the token.
func (s *Server) cookie() (name, value string) {
	sum := func(of string) string {
		mac := hmac.New(sha256.New, []byte(s.o.Token))
		mac.Write([]byte("parallax live page, " + of))
		return hex.EncodeToString(mac.Sum(nil))
	}
	return "parallax-" + sum("name")[:8], sum("value")
}

// signed reports whether a request has the token, or the cookie that shows that the visitor gave
// it.
func (s *Server) signed(r *http.Request) bool {
	if s.o.Token == "" {
		return false
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.isToken(token)
	}
	name, value := s.cookie()
	cookie, err := r.Cookie(name)
	return err == nil && same(cookie.Value, value)
}

func (s *Server) isToken(token string) bool { return s.o.Token != "" && same(token, s.o.Token) }

// same compares two secrets in a time that depends on neither.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// unsigned answers a request without the token that needs it.
func (s *Server) unsigned(w http.ResponseWriter, r *http.Request) {
	const text = "This needs the token: that of --token-file, or else the one that parallax serve printed."
	if isTwin(r) || r.Method != http.MethodGet {
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.refuse(w, r, http.StatusUnauthorized, text)
		return
	}
	w.Header().Set("Content-Type", html)
	w.WriteHeader(http.StatusUnauthorized)
	_ = page.WriteLogin(w, s.site(r), text)
}

// login shows the form for the token, and sets the cookie for a visitor who gives it.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Content-Type", html)
		_ = page.WriteLogin(w, s.site(r), "parallax serve printed the token, or has it from --token-file.")
		return
	}
	if !s.isToken(strings.TrimSpace(r.PostFormValue("token"))) {
		w.Header().Set("Content-Type", html)
		w.WriteHeader(http.StatusForbidden)
		_ = page.WriteLogin(w, s.site(r), "This is not the token.")
		return
	}
	name, value := s.cookie()
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
