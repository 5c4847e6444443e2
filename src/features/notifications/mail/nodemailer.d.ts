/** The part of `nodemailer` that is used. */
declare module 'nodemailer' {
  export interface TransportOptions {
    host: string
    port: number
    secure: boolean
    requireTLS: boolean
    ignoreTLS: boolean
    auth?: { user: string; pass: string }
    tls: { ca?: string }
    /** Milliseconds. */
    connectionTimeout: number
    greetingTimeout: number
    socketTimeout: number
    dnsTimeout: number
    disableFileAccess: true
    disableUrlAccess: true
  }
  export interface Address {
    name: string
    address: string
  }
  export interface Message {
    from: Address
    to: Address
    subject: string
    text: string
    html: string
    messageId: string
    headers: Record<string, string>
    /** Aborts the session and its connection. */
    signal: AbortSignal
  }
  /** Rejection of `sendMail`. */
  export interface SendError extends Error {
    code?: string
    originalCode?: string
    response?: string
    responseCode?: number
    command?: string
  }
  export interface Transporter {
    sendMail(message: Message): Promise<{ response: string }>
    /** Connects, and signs in if there is a login. */
    verify(): Promise<true>
    close(): void
  }
  export function createTransport(options: TransportOptions): Transporter
}
