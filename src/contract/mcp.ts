/** The addresses of the Model Context Protocol: of a hosted site, and by site id on the API's host. */
import { READER_PATH, READER_SITE_PATH } from './reader.ts'

/** On a hosted site. Where the server card lies is the protocol's own. */
export const MCP_PATH = '/mcp'
export const MCP_CARD_PATH = `${MCP_PATH}/server-card`
/** Lists what a domain has for agents, the MCP server among them. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json'

/** The other places of the same server. */
export const MCP_READER_PATH = `${READER_PATH}/mcp`
export const MCP_SITE_PATH = `${READER_SITE_PATH}/mcp`
