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
	entries := flag.String("entries", "", "JSON file: access key to username and groups")
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
	accessKey, err := accessKeyOf(token, now)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(entries)
	if err != nil {
		return nil, err
	}
	users := map[string]*user{}
	if err := json.Unmarshal(content, &users); err != nil {
		return nil, err
	}
	if found := users[accessKey]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("access key %s has no access entry", accessKey)
}

func accessKeyOf(token string, now time.Time) (string, error) {
	encoded, ok := strings.CutPrefix(token, prefix)
	if !ok {
		return "", fmt.Errorf("the token does not begin with %s", prefix)
	}
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return "", err
	}
	call, err := url.Parse(string(decoded))
	if err != nil {
		return "", err
	}
	query := call.Query()
	if call.Scheme != "https" || !stsHost.MatchString(call.Host) || query.Get("Action") != "GetCallerIdentity" {
		return "", fmt.Errorf("the token is no call of sts:GetCallerIdentity")
	}
	if !slices.Contains(strings.Split(query.Get("X-Amz-SignedHeaders"), ";"), "x-k8s-aws-id") {
		return "", fmt.Errorf("the token does not sign the name of a cluster")
	}
	if err := checkTime(query, now); err != nil {
		return "", err
	}
	accessKey, _, _ := strings.Cut(query.Get("X-Amz-Credential"), "/")
	return accessKey, nil
}

func checkTime(query url.Values, now time.Time) error {
	signed, err := time.Parse("20060102T150405Z", query.Get("X-Amz-Date"))
	if err != nil {
		return err
	}
	seconds, err := strconv.Atoi(query.Get("X-Amz-Expires"))
	if err != nil {
		return err
	}
	if seconds < 0 || seconds > int(lifetime.Seconds()) {
		return fmt.Errorf("the token asks to expire after %d s", seconds)
	}
	// EKS accepts a token for its whole lifetime, whatever a shorter expiry says.
	if signed.After(now.Add(clockSkew)) || now.After(signed.Add(lifetime)) {
		return fmt.Errorf("the token was signed at %s", signed)
	}
	return nil
}
