// A client with go-oidc: client ISSUER REDIRECT. The secret is in CLIENT_SECRET. Prints where a person logs in, reads the
// address to which the person returns, verifies everything, and refreshes the tokens.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func expect(condition bool, what string) {
	if !condition {
		check(fmt.Errorf("wrong: %s", what))
	}
}

func random() string {
	bytes := make([]byte, 32)
	_, err := rand.Read(bytes)
	check(err)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Args[1])
	check(err)
	config := oauth2.Config{
		ClientID: "go", ClientSecret: os.Getenv("CLIENT_SECRET"), RedirectURL: os.Args[2], Endpoint: provider.Endpoint(),
		Scopes: []string{oidc.ScopeOpenID, "email", "groups", "offline_access"},
	}
	state, nonce, codeVerifier := random(), random(), random()
	digest := sha256.Sum256([]byte(codeVerifier))
	challenge := base64.RawURLEncoding.EncodeToString(digest[:])
	fmt.Println(config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.SetAuthURLParam("code_challenge", challenge),
		oauth2.SetAuthURLParam("code_challenge_method", "S256")))
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	answer, err := url.Parse(strings.TrimSpace(line))
	check(err)
	expect(answer.Query().Get("state") == state, "state")
	token, err := config.Exchange(
		ctx, answer.Query().Get("code"), oauth2.SetAuthURLParam("code_verifier", codeVerifier))
	check(err)

	verifier := provider.Verifier(&oidc.Config{ClientID: "go"})
	verify := func(token *oauth2.Token) *oidc.IDToken {
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(ctx, raw)
		check(err)
		check(idToken.VerifyAccessToken(token.AccessToken))
		return idToken
	}
	idToken := verify(token)
	expect(idToken.Nonce == nonce, "nonce")
	user, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	check(err)
	expect(user.Subject == idToken.Subject, "sub")
	var claims struct {
		Groups []string `json:"groups"`
	}
	check(user.Claims(&claims))
	fmt.Println("groups:", claims.Groups)

	token.Expiry = time.Now().Add(-time.Hour)
	newer, err := config.TokenSource(ctx, token).Token()
	check(err)
	expect(newer.AccessToken != token.AccessToken, "the same access token")
	verify(newer)
	fmt.Println("refreshed")
}
