/**
 * Parameters of links and forms that sign a link or identify a visitor. Lower case. The time at which a link expires is
 * no secret.
 */
export const secretParameters: ReadonlySet<string> = new Set([
  // Signatures of media.
  'auth',
  'bui',
  'ei',
  'hdnea',
  'hdntl',
  'hdnts',
  'hmac',
  'key-pair-id',
  'lsig',
  'oh',
  'policy',
  'pot',
  'sec',
  'sig',
  'signature',
  'signaturev3',
  'spc',
  'x-amz-credential',
  'x-amz-security-token',
  'x-amz-signature',
  'x-signature',
  // Visitors and their sessions.
  '__csr',
  '__dyn',
  '__hsi',
  '_csrf',
  'csrf',
  'csrf_token',
  'csrftoken',
  'datr',
  'device_id',
  'dmts',
  'dmv1st',
  'encrypted_blob',
  'fb_dtsg',
  'ig_did',
  'ig_rid',
  'jazoest',
  'lsd',
  'mid',
  'mstoken',
  'odin_id',
  'redir_token',
  'sessionid',
  'srsltid',
  'tt_csrf_token',
  'ttwid',
  'v1st',
  'vd',
  'visitor_data',
  'visitordata',
  'wid',
]);

/** Parameters with short names, and the values with which they sign a link or identify a visit. Lower case. */
export const opaqueParameters: ReadonlyMap<string, RegExp> = new Map([
  ['h', /^[\w-]{30,}$/],
  ['i', /^(?=.*\d)(?=.*[a-f])[\da-f]{8}$/],
  ['key', /^(?=.*\d)[\da-z]{20,}$/],
  ['l', /^\d{14}[\dA-F]{16,}$/],
  // A short one is the size of a picture.
  ['s', /^.{30,}$/],
]);

/** Parts of the names of secrets. */
const secretPart =
  /token|secret|signature|visitor|session|dtsg|cookie|[cx]srf|passw|webid|web_id|device_?(?:experiment_?)?id|installdata|verifyfp|x-bogus|authoriz|authent|(?:^|[_-])auth(?:$|[_-])/;

/** Names with such a part that are no secrets: positions in lists, and hashes of public pictures. */
const publicPart = /image_?signature|cursor|continuation|(?:page|next|legacy_|story_|^c)_?token|signaturecipher/;

/** Whether a parameter, a member or a header is likely a secret, although its name, in lower case, is not known. */
export function isSecretName(name: string): boolean {
  return secretPart.test(name) && !publicPart.test(name);
}

/** Path segments whose next segment is a secret: `/sig/<value>/`. */
export const secretSegments: ReadonlySet<string> = new Set(['bui', 'ei', 'lsig', 'pot', 'sig', 'signature', 'spc']);

/** Parameters, path segments and members whose value is the address of the machine. Lower case. */
export const addressNames: ReadonlySet<string> = new Set([
  'client_ip',
  'clientip',
  'ip',
  'remote_ip',
  'remotehost',
  'remoteip',
  'user_ip',
  'userip',
  'vip',
]);

/** Members of JSON that identify a visitor or a session. Lower case. */
export const secretMembers: ReadonlySet<string> = new Set([
  '_js_datr',
  '_js_ig_did',
  '_js_mid',
  '_mid',
  'appinstalldata',
  'async_get_token',
  'clientid',
  'csrf',
  'csrf_token',
  'csrftoken',
  'datr',
  'device_id',
  'deviceid',
  'encrypted',
  'encrypted_tracking',
  'encryptedwebid',
  'fb_dtsg',
  'haste_session',
  'ig_did',
  'jazoest',
  'logging_info_token',
  'lsd',
  'machine_id',
  'machineid',
  'mezql_token',
  'mid',
  'mstoken',
  'odinid',
  'organic_tracking_token',
  'recommender_type_token',
  'redir_token',
  'session_id',
  'sessionid',
  'ttwid',
  'unauth_id',
  'unauthid',
  'v1st',
  'view_id',
  'visitor_data',
  'visitordata',
  'webid',
  'wid',
  'xsrf_token',
  'xsrftoken',
]);

/** Elements of lists and forms, as in `{"key":"visitor_data","value":"…"}`, `["LSD",[],{"token":"…"}]`. Lower case. */
export const secretElements: ReadonlySet<string> = new Set([
  ...secretMembers,
  'dtsg',
  'dtsginitdata',
  'dtsginitialdata',
  'remote_addr',
]);

/** Request and response headers whose whole value is a secret. Lower case. */
export const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'pinterest-rid',
  'proxy-authorization',
  'x-csrf-token',
  'x-csrftoken',
  'x-fb-debug',
  'x-fb-lsd',
  'x-fb-trip-id',
  'x-goog-visitor-id',
  'x-ig-www-claim',
  'x-instagram-ajax',
  'x-ms-token',
  'x-tt-logid',
  'x-tt-trace-id',
  'x-tt-trace-tag',
]);
