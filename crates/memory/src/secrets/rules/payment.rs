//! Payment and shops.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token("stripe-live-key", "Stripe live key", &["sk_live_", "sk_prod_"], 18, "sk_(?:live|prod)_[A-Za-z0-9]{10,247}").entropy(30),
    Rule::token("stripe-test-key", "Stripe test key", &["sk_test_"], 18, "sk_test_[A-Za-z0-9]{10,247}").entropy(30),
    Rule::token("stripe-restricted-key", "Stripe restricted key", &["rk_live_", "rk_test_", "rk_prod_"], 18, "rk_(?:live|test|prod)_[A-Za-z0-9]{10,247}").entropy(30),
    Rule::token("webhook-secret", "webhook signing secret", &["whsec_"], 38, "whsec_[A-Za-z0-9+/=]{32,70}").entropy(33),
    Rule::token("square-token", "Square access token", &["sq0atp-", "sq0csp-", "sq0idp-", "EAAA"], 26, "(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{22,70})").entropy(33),
    Rule::token("braintree-token", "PayPal or Braintree access token", &["access_token$"], 60, r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    Rule::token("shopify-access-token", "Shopify access token", &["shpat_"], 38, "shpat_[0-9a-fA-F]{32}"),
    Rule::token("shopify-custom-token", "Shopify custom-app token", &["shpca_"], 38, "shpca_[0-9a-fA-F]{32}"),
    Rule::token("shopify-private-token", "Shopify private-app password", &["shppa_"], 38, "shppa_[0-9a-fA-F]{32}"),
    Rule::token("shopify-shared-secret", "Shopify shared secret", &["shpss_"], 38, "shpss_[0-9a-fA-F]{32}"),
    Rule::token("shopify-partner-token", "Shopify partner token", &["shptka_", "shpua_"], 38, "shp(?:tka|ua)_[0-9a-fA-F]{32}"),
    Rule::token("checkout-key", "Checkout.com key", &["sk_"], 39, "sk_(?:test_|sbox_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    Rule::token("razorpay-key", "Razorpay key", &["rzp_live_", "rzp_test_"], 23, "rzp_(?:live|test)_[A-Za-z0-9]{14,24}").entropy(28),
    Rule::token("adyen-key", "Adyen API key", &["AQE"], 90, r"AQE[a-z][A-Za-z0-9+/=]{60,200}-[A-Za-z0-9+/=]{20,80}-[A-Za-z0-9+/=.,;:~^$&*()\[\]{}<>|_-]{8,40}").entropy(40),
    Rule::token("plaid-token", "Plaid access token", &["access-production-", "access-sandbox-", "access-development-"], 50, "access-(?:production|sandbox|development)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    Rule::token("flutterwave-key", "Flutterwave secret key", &["FLWSECK", "FLWPUBK"], 25, "FLW(?:SEC|PUB)K(?:_TEST)?-(?:[0-9a-hA-H]{32}(?:-X)?|[0-9a-hA-H]{12})"),
    Rule::token("paddle-key", "Paddle key", &["pdl_live_apikey_", "pdl_sdbx_apikey_"], 60, "pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}"),
    Rule::token("shippo-token", "Shippo token", &["shippo_live_", "shippo_test_"], 50, "shippo_(?:live|test)_[0-9a-f]{40}"),
    Rule::token("duffel-token", "Duffel token", &["duffel_live_", "duffel_test_"], 50, "duffel_(?:live|test)_[A-Za-z0-9_=-]{43}").entropy(35),
    Rule::token("easypost-key", "EasyPost key", &["EZAK", "EZTK"], 58, "EZ[AT]K[A-Za-z0-9]{54}").entropy(35),
];
