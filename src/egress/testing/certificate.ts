import { setDefaultCACertificates } from 'node:tls';

/** Self-signed key and certificate for `localhost`, `a.example` and 127.0.0.1, for tests only. They are not secret. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTJRwVeHJlSyLwSoo
/Pym2CU8iDmK9IFGUFp0I8BqgEKhRANCAATxWXbKw25AAyk6cb94gw3TC2gckqB+
YUBx2GQkl2X756JRqnAM8ixfIvn+d9S7HHDrVofZ7xYlbfALyTT+LBgS
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBcjCCARigAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPFZdsrDbkADKTpx
v3iDDdMLaBySoH5hQHHYZCSXZfvnolGqcAzyLF8i+f531LsccOtWh9nvFiVt8AvJ
NP4sGBKjWTBXMA8GA1UdEwEB/wQFMAMBAf8wJQYDVR0RBB4wHIIJbG9jYWxob3N0
gglhLmV4YW1wbGWHBH8AAAEwHQYDVR0OBBYEFJ8xaU2nsURUq9R9ki6SL8UW6Bv5
MAoGCCqGSM49BAMCA0gAMEUCIQDWzrxdIg9/crXtTV4dI6gSdh6cqX9FBtfpSqLt
UmFPIAIgMwjr9gsRX6syYpqZ3FHWDssFIgQ05M+m7CnC8Xpj3LQ=
-----END CERTIFICATE-----`,
};

/** Makes this process accept {@link certificate}. */
export function trustCertificate(): void {
  setDefaultCACertificates([certificate.cert]);
}
