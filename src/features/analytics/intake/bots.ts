/** Classifies readers by user agent: humans, AI agents and assistants, other programs. */
import type { Audience } from '../operations/analytics-events.ts'

/** User agents of programs that read for a language model, and their display names. */
const AI_AGENTS: readonly (readonly [word: RegExp, name: string])[] = [
  [/ChatGPT-User|OAI-SearchBot|GPTBot|ChatGPT Agent|\bCodex\b/i, 'ChatGPT'],
  [/Claude-User|Claude-SearchBot|Claude-Web|ClaudeBot|anthropic-ai|claude-code|Claude-Code/i, 'Claude'],
  [/Perplexity(?:Bot|-User)/i, 'Perplexity'],
  [/Google-(?:Extended|CloudVertexBot|NotebookLM|Agent)|GoogleAgent|Gemini-(?:Deep|CLI)/i, 'Gemini'],
  [/\bCopilot\b|GitHub-Copilot/i, 'Copilot'],
  [/\bCursor(?:\/|Bot)|\bWindsurf\b|\bopencode\b|\bCline\b|\bAider\b|\bDevin\b/i, 'Coding agents'],
  [/meta-external(?:agent|fetcher)/i, 'Meta AI'],
  [/MistralAI-User/i, 'Mistral'],
  [/DuckAssistBot/i, 'DuckAssist'],
  [/Applebot-Extended/i, 'Apple Intelligence'],
  [/Amazonbot|bedrockbot/i, 'Amazon'],
  [/Bytespider|Doubao/i, 'ByteDance'],
  [/CCBot|cohere-|Diffbot|YouBot|AI2Bot|PanguBot|DeepSeek|Kagi-?Assistant|PhindBot|xAI-|Grok/i, 'Other AI'],
]

const PROGRAMS =
  /bot\b|bot[/;)]|crawl|spider|slurp|headless|lighthouse|pagespeed|monitor|preview|fetch|scan|archiver|facebookexternalhit|curl|wget|python|httpx|aiohttp|java\/|okhttp|go-http|node|undici|axios|libwww|ruby|perl|php|postman|insomnia|phantomjs|puppeteer|playwright|selenium/i

export interface Reader {
  audience: Audience
  agent: string | null
}

const PERSON: Reader = { audience: 'human', agent: null }
const PROGRAM: Reader = { audience: 'bot', agent: null }

/** Classifies a missing user agent as a program, because every browser sends one. */
export function classifyReader(userAgent: string): Reader {
  const known = AI_AGENTS.find(([word]) => word.test(userAgent))
  if (known) return { audience: 'ai', agent: known[1] }
  return userAgent === '' || PROGRAMS.test(userAgent) ? PROGRAM : PERSON
}

export type Device = 'desktop' | 'mobile' | 'tablet'

export function detectDevice(userAgent: string): Device {
  if (/iPad|Tablet|PlayBook|Silk(?!.*Mobile)|Android(?!.*Mobile)/i.test(userAgent)) return 'tablet'
  return /Mobi|iPhone|iPod|Android|Windows Phone/i.test(userAgent) ? 'mobile' : 'desktop'
}
