/** The parts of the official Model Context Protocol client that the tests use. */
declare module '@modelcontextprotocol/client' {
  interface Transport {
    close(): Promise<void>
  }
  interface Listed {
    nextCursor?: string
  }
  export interface ToolAnswer {
    content: { type: string; text: string }[]
    structuredContent?: Record<string, unknown>
    isError?: boolean
  }
  export class StreamableHTTPClientTransport implements Transport {
    constructor(url: URL, options?: { fetch?: typeof fetch })
    close(): Promise<void>
  }
  export class Client {
    constructor(
      info: { name: string; version: string },
      options?: { versionNegotiation?: { mode: 'legacy' | 'auto' | { pin: string } } },
    )
    connect(transport: Transport): Promise<void>
    close(): Promise<void>
    getServerVersion(): { name: string; title?: string } | undefined
    getInstructions(): string | undefined
    getNegotiatedProtocolVersion(): string | undefined
    listTools(): Promise<Listed & { tools: { name: string; inputSchema: object }[] }>
    callTool(call: { name: string; arguments?: object }): Promise<ToolAnswer>
    listResources(params?: {
      cursor?: string
    }): Promise<
      Listed & { resources: { uri: string; name: string; description?: string; mimeType?: string }[] }
    >
    listResourceTemplates(): Promise<Listed & { resourceTemplates: { uriTemplate: string }[] }>
    readResource(params: { uri: string }): Promise<{ contents: { uri: string; text: string }[] }>
  }
}

declare module '@modelcontextprotocol/client/stdio' {
  export class StdioClientTransport {
    constructor(server: {
      command: string
      args?: string[]
      env?: Record<string, string>
      cwd?: string
      stderr?: 'pipe' | 'ignore'
    })
    close(): Promise<void>
  }
}
