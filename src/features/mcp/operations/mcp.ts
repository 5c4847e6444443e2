/** Paths of the Model Context Protocol on a hosted site. Those on the API's host are in reader.ts. */

export const MCP_PATH = '/mcp'
/** Path defined by the protocol. */
export const MCP_CARD_PATH = `${MCP_PATH}/server-card`
/** Lists what a domain offers to agents, including the MCP server. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json'
