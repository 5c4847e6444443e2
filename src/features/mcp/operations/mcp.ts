/** The addresses of the Model Context Protocol on a hosted site; those on the API's host stand in reader.ts. */

export const MCP_PATH = '/mcp'
/** The protocol says where. */
export const MCP_CARD_PATH = `${MCP_PATH}/server-card`
/** Lists what a domain has for agents, the MCP server among them. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json'
