import { PageHeader } from '../../ui/page.tsx'

export function ExportJobPage() {
  return <PageHeader title="Export" />
}
