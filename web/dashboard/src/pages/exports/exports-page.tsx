import { PageHeader } from '../../ui/page.tsx'

export function ExportsPage() {
  return <PageHeader title="Exports" />
}
