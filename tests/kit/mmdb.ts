/** Writes a small country database like those that operators supply: MMDB 2.0 with IPv4 networks. */

interface Network {
  /** Network address; `bits` is its prefix length. */
  address: string
  bits: number
  record: Readonly<Record<string, unknown>>
}

const RECORD_BITS = 24
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

type Node = [left: Node | number | null, right: Node | number | null]

export function mmdb(networks: readonly Network[]): Buffer {
  const root: Node = [null, null]
  const data: Buffer[] = []
  for (const { address, bits, record } of networks) {
    place(root, address, bits, Buffer.concat(data).length)
    data.push(encode(record))
  }
  const nodes = nodesOf(root)
  const numbers = new Map(nodes.map((node, index) => [node, index]))
  const tree = Buffer.alloc((nodes.length * RECORD_BITS * 2) / 8)
  for (const [index, node] of nodes.entries())
    for (const side of [0, 1] as const) {
      const to = node[side]
      const value =
        to === null ? nodes.length : typeof to === 'number' ? nodes.length + 16 + to : numbers.get(to)
      tree.writeUIntBE(value ?? nodes.length, index * 6 + side * 3, 3)
    }
  const metadata = encode({
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: 1, ip_version: 4 },
    ...{ database_type: 'Test-Country', node_count: nodes.length, record_size: RECORD_BITS },
    ...{ languages: [], description: {} },
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...data, MARKER, metadata])
}

function place(root: Node, address: string, bits: number, offset: number): void {
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  let node = root
  for (let bit = 0; bit < bits; bit++) {
    const side = Math.floor(value / 2 ** (31 - bit)) % 2 === 0 ? 0 : 1
    if (bit === bits - 1) node[side] = offset
    else {
      const next = node[side]
      const made: Node = Array.isArray(next) ? next : [null, null]
      node[side] = made
      node = made
    }
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...node.flatMap((side) => (Array.isArray(side) ? nodesOf(side) : []))]
}

/** The top three bits of the first byte are the type, the rest is the length; types above 7 use an extra byte. */
function encode(value: unknown): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)])
  const entries = Object.entries(value as object)
  return Buffer.concat([
    Buffer.from([(7 << 5) | entries.length]),
    ...entries.flatMap(([name, one]) => [encode(name), encode(one)]),
  ])
}
