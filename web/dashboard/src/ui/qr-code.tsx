import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'

/** Quiet zone around the code, in modules, required by scanners. */
const QUIET_ZONE_MODULES = 4

/** QR code, always dark on light, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => encode(text, { ecc: 'M', border: 0 }).data, [text])
  const size = rows.length + QUIET_ZONE_MODULES * 2
  const dark = rows
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + QUIET_ZONE_MODULES} ${y + QUIET_ZONE_MODULES}h1v1h-1z` : '')),
    )
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width="200"
      height="200"
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
      class="rounded-sm"
    >
      <rect width={size} height={size} fill="white" />
      <path d={dark} fill="black" />
    </svg>
  )
}
