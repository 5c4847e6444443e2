/** Types for the part of ssh2 that the tests use: the server. */
declare module 'ssh2' {
  import type { EventEmitter } from 'node:events'
  import type { AddressInfo } from 'node:net'
  import type { Duplex, Writable } from 'node:stream'

  export interface AuthContext {
    method: string
    username: string
    accept(): void
    reject(): void
  }
  export interface ServerChannel extends Duplex {
    stderr: Writable
    exit(code: number): void
  }
  export interface Session extends EventEmitter {
    on(
      event: 'exec',
      listener: (accept: () => ServerChannel, reject: () => void, info: { command: string }) => void,
    ): this
  }
  export interface Connection extends EventEmitter {
    on(event: 'authentication', listener: (context: AuthContext) => void): this
    on(event: 'session', listener: (accept: () => Session) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'close', listener: () => void): this
    end(): void
  }
  export class Server extends EventEmitter {
    constructor(options: { hostKeys: string[] }, onConnection: (client: Connection) => void)
    listen(port: number, host: string, done: () => void): this
    address(): AddressInfo
    close(done?: () => void): void
  }
  export const utils: { generateKeyPairSync(kind: 'ed25519'): { private: string } }
}
