import ipaddr from 'ipaddr.js';
import type { AddressRange } from '../../settings/address-range.ts';

/** An IP address as parsed by the library. */
type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * IPv4 blocks without public hosts: the IANA IPv4 Special-Purpose Address Registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), including its anycast services, and multicast.
 */
const specialIpv4 = parseRanges([
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // shared address space, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '169.254.0.0/16', // link-local, RFC 3927
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // IETF protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved and broadcast, RFC 1112, RFC 919
]);

/** The only IPv6 block with public hosts (https://www.iana.org/assignments/ipv6-address-space). */
const globalUnicast = parseRanges(['2000::/3']);

/**
 * Blocks of global unicast without public hosts: the IANA IPv6 Special-Purpose Address Registry
 * (https://www.iana.org/assignments/iana-ipv6-special-registry). Addresses that embed an IPv4 address for a tunnel
 * (Teredo, 6to4) are among them.
 */
const specialIpv6 = parseRanges([
  '2001::/23', // IETF protocol assignments (Teredo, benchmarking, AMT, ORCHID, drone remote ID), RFC 2928
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3ffe::/16', // 6bone, returned, RFC 3701
  '3fff::/20', // documentation, RFC 9637
]);

/** NAT64's well-known prefix: the last 32 bits are the IPv4 address of the target (RFC 6052 §2.1). */
const nat64 = parseRanges(['64:ff9b::/96']);

/**
 * Addresses of cloud metadata services and their agents, which give credentials to anyone who can connect. Most are in
 * special blocks; 168.63.129.16 is in a public one.
 */
const metadataServices: ReadonlySet<string> = new Set(
  [
    // AWS, Azure, Google Cloud, Oracle Cloud, DigitalOcean, Hetzner, IBM, OpenStack and others.
    '169.254.169.254',
    // AWS over IPv6: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
    'fd00:ec2::254',
    // AWS ECS task credentials: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html
    '169.254.170.2',
    // AWS EKS Pod Identity: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html
    '169.254.170.23',
    'fd00:ec2::23',
    // Azure WireServer: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
    '168.63.129.16',
    // Google Cloud over IPv6: https://cloud.google.com/compute/docs/metadata/querying-metadata
    'fd20:ce::254',
    // Oracle Cloud over IPv6, as in the OCI SDKs: https://github.com/oracle/oci-python-sdk
    'fd00:c1::a9fe:a9fe',
    // Oracle Cloud Classic: https://docs.oracle.com/en/cloud/iaas-classic/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html
    '192.0.0.192',
    // Alibaba Cloud: https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
    '100.100.100.200',
    'fd00:100::100:200',
    // Tencent Cloud: https://www.tencentcloud.com/document/product/213/4934
    '169.254.0.23',
    '169.254.10.10',
    // Scaleway: https://cloudinit.readthedocs.io/en/latest/reference/datasources/scaleway.html
    '169.254.42.42',
    'fd00:42::42',
    // Akamai (Linode): https://techdocs.akamai.com/cloud-computing/docs/metadata-service-api
    'fd00:a9fe:a9fe::1',
    // OpenStack over IPv6: https://docs.openstack.org/nova/latest/admin/metadata-service.html
    'fe80::a9fe:a9fe',
  ].map((address) => bytesOf(ipaddr.parse(address))),
);

/**
 * Whether an address belongs to a public host. False for an IPv6 address that contains an IPv4 one; see
 * {@link effectiveAddress}.
 */
export function isPublic(address: IpAddress): boolean {
  if (isMetadataService(address)) return false;
  if (address.kind() === 'ipv4') return !isWithin(address, specialIpv4);
  return isWithin(address, globalUnicast) && !isWithin(address, specialIpv6);
}

/** Whether an address belongs to a cloud metadata service. */
export function isMetadataService(address: IpAddress): boolean {
  return metadataServices.has(bytesOf(address));
}

/** Returns the address that a connection to `address` reaches: the IPv4 address inside an IPv4-mapped or NAT64 one. */
export function effectiveAddress(address: IpAddress): IpAddress {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return isWithin(address, nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** Whether an address is in one of the ranges of the same IP version. */
export function isWithin(address: IpAddress, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([range, bits]) => address.kind() === range.kind() && address.match([range, bits]));
}

/** Returns the bytes of an address, for comparisons. The address's text is unsuitable because it includes the zone. */
function bytesOf(address: IpAddress): string {
  return address.toByteArray().join('.');
}

function parseRanges(texts: readonly string[]): AddressRange[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
