// pki makes certificate authorities, certificates and keys as PEM files.
//
//	pki < requests.json
//
// A request without "signer" makes an authority; "keyOnly" makes a bare RSA key pair for service account tokens.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

type request struct {
	// Path without extension: the certificate goes to Path.crt, the key to Path.key.
	Path       string   `json:"path"`
	CommonName string   `json:"commonName"`
	Groups     []string `json:"groups"`
	// Path, without extension, of the authority that signs.
	Signer  string   `json:"signer"`
	Hosts   []string `json:"hosts"`
	KeyOnly bool     `json:"keyOnly"`
}

func main() {
	var requests []request
	err := json.NewDecoder(os.Stdin).Decode(&requests)
	for _, one := range requests {
		if err == nil {
			err = issue(one)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pki:", err)
		os.Exit(1)
	}
}

func issue(one request) error {
	if one.KeyOnly {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return err
		}
		return writeKey(one.Path, key)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template, err := templateOf(one)
	if err != nil {
		return err
	}
	parent, signer := template, crypto.Signer(key)
	if one.Signer != "" {
		if parent, signer, err = readAuthority(one.Signer); err != nil {
			return err
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return err
	}
	if err := writePem(one.Path+".crt", "CERTIFICATE", der); err != nil {
		return err
	}
	return writeKey(one.Path, key)
}

func templateOf(one request) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: one.CommonName, Organization: one.Groups},
		// An hour back, for a clock that is set back while the cluster runs.
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
	}
	if one.Signer == "" {
		template.IsCA = true
		template.KeyUsage |= x509.KeyUsageCertSign
		return template, nil
	}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	for _, host := range one.Hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	if len(one.Hosts) > 0 {
		template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
	}
	return template, nil
}

func readAuthority(path string) (*x509.Certificate, crypto.Signer, error) {
	certificatePem, err := os.ReadFile(path + ".crt")
	if err != nil {
		return nil, nil, err
	}
	keyPem, err := os.ReadFile(path + ".key")
	if err != nil {
		return nil, nil, err
	}
	certificateBlock, _ := pem.Decode(certificatePem)
	keyBlock, _ := pem.Decode(keyPem)
	if certificateBlock == nil || keyBlock == nil {
		return nil, nil, fmt.Errorf("%s is not an authority", path)
	}
	certificate, err := x509.ParseCertificate(certificateBlock.Bytes)
	if err != nil {
		return nil, nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, nil, err
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, nil, fmt.Errorf("the key of %s cannot sign", path)
	}
	return certificate, signer, nil
}

func writeKey(path string, key crypto.Signer) error {
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := writePem(path+".key", "PRIVATE KEY", private); err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	return writePem(path+".pub", "PUBLIC KEY", public)
}

func writePem(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
