/** Converts React attribute names to HTML names, because the serializer does not rename all of them. */
import { options, type VNode } from 'preact'

const NAMES = new Map(
  (
    'allowFullScreen allowPaymentRequest bgColor controlsList disablePictureInPicture disableRemotePlayback fetchPriority ' +
    'isMap keyParams keyType longDesc marginHeight marginWidth noModule noResize noShade noWrap referrerPolicy spellCheck vAlign'
  )
    .split(' ')
    .map((name) => [name, name.toLowerCase()]),
)

/** Applies to all elements created after this call. */
export function writeHtmlNames(): void {
  const { vnode: usual } = options
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') rename(vnode)
    usual?.(vnode)
  }
}

function rename(vnode: VNode): void {
  const props = vnode.props as Record<string, unknown>
  for (const name in props) {
    if (!NAMES.has(name)) continue
    const entries = Object.entries(props).map(([key, value]) => [NAMES.get(key) ?? key, value])
    vnode.props = Object.fromEntries(entries)
    return
  }
}
