/**
 * Server discovery for clients: a server card, and the domain's catalog that links to the card.
 * https://github.com/modelcontextprotocol/experimental-ext-server-card,
 * https://github.com/Agent-Card/ai-catalog
 */

import { octavoVersion } from '../../render/machinery/renderer-version.ts'
import { MCP_CARD_PATH, MCP_PATH } from './operations/mcp.ts'
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './protocol.ts'

export const CARD_TYPE = 'application/mcp-server-card+json'
export const CATALOG_TYPE = 'application/ai-catalog+json'

const MAX_TEXT_CHARACTERS = 100
const MCP_SERVER_NAME = 'docs'

/** Returns a reverse-DNS name, such as `com.example.docs/docs` for `docs.example.com`. */
export function serverName(host: string): string {
  return `${host.split('.').reverse().join('.')}/${MCP_SERVER_NAME}`
}

export function serverCard(
  site: { name: string; description: string | null },
  { host, origin }: { host: string; origin: string },
): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: serverName(host),
    version: octavoVersion(),
    title: shorten(site.name || host),
    description: shorten(site.description || `Search and read the documentation of ${site.name || host}.`),
    websiteUrl: origin,
    remotes: [
      {
        type: 'streamable-http',
        url: origin + MCP_PATH,
        supportedProtocolVersions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
      },
    ],
  }
}

export function aiCatalog({ host, origin }: { host: string; origin: string }): object {
  return {
    specVersion: '1.0',
    entries: [
      { identifier: `urn:air:${host}:mcp:${MCP_SERVER_NAME}`, type: CARD_TYPE, url: origin + MCP_CARD_PATH },
    ],
  }
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_CHARACTERS
    ? text
    : `${text.slice(0, MAX_TEXT_CHARACTERS - 1).toWellFormed()}…`
}
