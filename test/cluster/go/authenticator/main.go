// authenticator answers the apiserver's question who a bearer token belongs to, as EKS does for tokens that are
// presigned calls of sts:GetCallerIdentity. It checks everything but the signature, which only AWS can; instead of the
// caller's role, the access key decides, by a file of access entries that is read for every question.
//
//	authenticator -address HOST:PORT -certificate FILE -key FILE -entries FILE
package main

import (
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	prefix    = "k8s-aws-v1."
	lifetime  = 15 * time.Minute
	clockSkew = 5 * time.Minute
)

var stsHost = regexp.MustCompile(`^sts(\.[a-z0-9-]+)?\.amazonaws\.com(\.cn)?$`)

type user struct {
	Username string   `json:"username"`
	Groups   []string `json:"groups,omitempty"`
}

// entry says whom the holder of an access key is taken for. A holder with a time of its own lives by a test's clock:
// when its tokens were signed says nothing about how old they are.
type entry struct {
	user
	OwnTime bool `json:"ownTime"`
}

type status struct {
	Authenticated bool   `json:"authenticated"`
	User          *user  `json:"user,omitempty"`
	Error         string `json:"error,omitempty"`
}

type review struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       struct {
		Token string `json:"token"`
	} `json:"spec"`
	Status status `json:"status"`
}

func main() {
	address := flag.String("address", "", "host and port to listen on")
	certificate := flag.String("certificate", "", "PEM file of the serving certificate")
	key := flag.String("key", "", "PEM file of its key")
	entries := flag.String("entries", "", "JSON file: access key to username, groups and whether its time is its own")
	flag.Parse()
	http.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /authenticate", func(response http.ResponseWriter, request *http.Request) {
		var question review
		if err := json.NewDecoder(request.Body).Decode(&question); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		question.Status = answer(question.Spec.Token, *entries, time.Now())
		question.Spec.Token = ""
		if err := json.NewEncoder(response).Encode(question); err != nil {
			log.Print(err)
		}
	})
	log.Fatal(http.ListenAndServeTLS(*address, *certificate, *key, nil))
}

func answer(token, entries string, now time.Time) status {
	found, err := authenticate(token, entries, now)
	if err != nil {
		log.Print("refused: ", err)
		return status{Error: err.Error()}
	}
	return status{Authenticated: true, User: found}
}

func authenticate(token, entries string, now time.Time) (*user, error) {
	accessKey, signed, err := readToken(token)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(entries)
	if err != nil {
		return nil, err
	}
	known := map[string]*entry{}
	if err := json.Unmarshal(content, &known); err != nil {
		return nil, err
	}
	found := known[accessKey]
	if found == nil {
		return nil, fmt.Errorf("access key %s has no access entry", accessKey)
	}
	// EKS accepts a token for its whole lifetime, whatever a shorter expiry says.
	if !found.OwnTime && (signed.After(now.Add(clockSkew)) || now.After(signed.Add(lifetime))) {
		return nil, fmt.Errorf("the token was signed at %s", signed)
	}
	return &found.user, nil
}

// readToken gives the access key that signed a token, and when.
func readToken(token string) (string, time.Time, error) {
	never := time.Time{}
	encoded, ok := strings.CutPrefix(token, prefix)
	if !ok {
		return "", never, fmt.Errorf("the token does not begin with %s", prefix)
	}
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return "", never, err
	}
	call, err := url.Parse(string(decoded))
	if err != nil {
		return "", never, err
	}
	query := call.Query()
	if call.Scheme != "https" || !stsHost.MatchString(call.Host) || query.Get("Action") != "GetCallerIdentity" {
		return "", never, fmt.Errorf("the token is no call of sts:GetCallerIdentity")
	}
	if !slices.Contains(strings.Split(query.Get("X-Amz-SignedHeaders"), ";"), "x-k8s-aws-id") {
		return "", never, fmt.Errorf("the token does not sign the name of a cluster")
	}
	signed, err := signedAt(query)
	if err != nil {
		return "", never, err
	}
	accessKey, _, _ := strings.Cut(query.Get("X-Amz-Credential"), "/")
	return accessKey, signed, nil
}

func signedAt(query url.Values) (time.Time, error) {
	seconds, err := strconv.Atoi(query.Get("X-Amz-Expires"))
	if err != nil {
		return time.Time{}, err
	}
	if seconds < 0 || seconds > int(lifetime.Seconds()) {
		return time.Time{}, fmt.Errorf("the token asks to expire after %d s", seconds)
	}
	return time.Parse("20060102T150405Z", query.Get("X-Amz-Date"))
}
