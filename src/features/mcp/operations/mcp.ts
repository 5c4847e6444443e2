/** Paths of the Model Context Protocol on a hosted site; reader.ts has the paths on the API's host. */

export const MCP_PATH = '/mcp'
/** Path defined by the protocol. */
export const MCP_CARD_PATH = `${MCP_PATH}/server-card`
/** Lists the services of a domain for agents, including the MCP server. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json'
