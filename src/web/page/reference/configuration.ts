/** Languages of the code samples that are shown first. All others are in a menu. */
const featuredClients = ['shell/curl', 'js/fetch', 'python/requests', 'go/native', 'php/curl'];

/**
 * Returns the configuration of Scalar for a document. Everything that contacts another host is off, and keys are kept
 * in memory.
 *
 * @param host Host of the service, which is the value of `X-Marketplace-Host` without a marketplace.
 */
export function configuration(content: object, host: string): object {
  return {
    content,
    // Other hosts: fonts, telemetry, the chat, MCP and "open in client" links, and the toolbar that shares documents.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
    // The document with the guides is only for this page. The page links to the original.
    documentDownloadType: 'none',
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: [['marketplaceKey', 'marketplaceHost']],
      securitySchemes: { marketplaceHost: { value: host } },
    },
    theme: 'none',
    modelsSectionLabel: 'Schemas',
    orderSchemaPropertiesBy: 'preserve',
    featuredClients,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    localization: { locale: 'en', translations },
  };
}

/** Scalar's labels in sentence case, as on the rest of the page, and shorter ones that fit beside their titles. */
const translations = {
  apiClient: { authSelector: { selectedType: '{type}', selectType: 'Select a key' } },
  clientLibraries: { heading: 'Code samples' },
  operation: {
    testRequest: 'Try it',
    pathParameters: 'Path parameters',
    queryParameters: 'Query parameters',
    requestBody: 'Request body',
  },
  response: { showSchema: 'Show schema' },
  navigation: { introduction: 'Guides' },
};
