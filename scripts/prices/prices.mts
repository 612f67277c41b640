// Writes shared/pricing/instance-types.json: list prices from Karpenter's AWS provider (Go module proxy), sizes from moto (PyPI).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const PROVIDER = 'github.com/aws/karpenter-provider-aws@v1.14.1';
const MOTO = 'moto==5.2.5';
const FILE = 'shared/pricing/instance-types.json';
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' };

interface PriceList {
  readonly region: string;
  readonly currency: 'USD' | 'CNY';
  readonly date: string;
  readonly prices: ReadonlyMap<string, number>;
}

/** The fields of EC2's DescribeInstanceTypes that are used. */
interface TypeInfo {
  readonly VCpuInfo: { readonly DefaultVCpus: number };
  readonly MemoryInfo: { readonly SizeInMiB: number };
  readonly ProcessorInfo: { readonly SupportedArchitectures: readonly string[]; readonly Manufacturer: string };
  readonly NetworkInfo: {
    readonly DefaultNetworkCardIndex: number;
    readonly NetworkCards: readonly { readonly MaximumNetworkInterfaces: number }[];
    readonly Ipv4AddressesPerInterface: number;
    readonly EncryptionInTransitSupported?: boolean;
  };
  readonly Hypervisor?: string;
  readonly GpuInfo?: {
    readonly Gpus: readonly { readonly Count: number; readonly Name: string; readonly Manufacturer: string }[];
  };
  readonly NeuronInfo?: { readonly NeuronDevices: readonly { readonly Count: number }[] };
  readonly InstanceStorageInfo?: { readonly TotalSizeInGB?: number; readonly NvmeSupport?: string };
}

const lists = readPrices();
const types = readTypes();
const priced = [...new Set(lists.flatMap(({ prices }) => [...prices.keys()]))].sort();
const rows = priced.flatMap((name) => {
  const info = types[name];
  const row = info && rowOf(info);
  const prices = lists.map((list) => list.prices.get(name) ?? null);
  return row ? [`    ${JSON.stringify(name)}: ${JSON.stringify([...row, prices])}`] : [];
});
writeFileSync(
  FILE,
  `{
  "about": "On-demand Linux list prices and sizes of EC2 instance types. Written by npm run prices.",
  "origin": [
    "prices: pkg/providers/pricing/zz_generated.pricing_aws*.go of ${PROVIDER}, Apache-2.0",
    "sizes: moto/ec2/resources/instance_types.json.gz of ${MOTO}, Apache-2.0"
  ],
  "lists": [
${lists.map(({ region, currency, date }) => `    { "region": "${region}", "currency": "${currency}", "date": "${date}" }`).join(',\n')}
  ],
  "columns": ["vCPU", "MiB", "most pods", "architecture", "karpenter.k8s.aws/instance-...", "devices", "prices by list"],
  "types": {
${rows.join(',\n')}
  }
}
`,
);
console.log(
  `${FILE}: ${rows.length} types; ${priced.length - rows.length} with a price but without a known size are left out`,
);

function readPrices(): readonly PriceList[] {
  const { Dir } = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', PROVIDER], { encoding: 'utf8', cwd: tmpdir() }),
  );
  return ['aws', 'aws_us_gov', 'aws_cn'].flatMap((partition) => {
    const text = readFileSync(join(Dir, `pkg/providers/pricing/zz_generated.pricing_${partition}.go`), 'utf8');
    const date = /generated at (\d{4}-\d\d-\d\d)/.exec(text)?.[1] ?? '';
    return [...text.matchAll(/"([a-z-]+-\d)": \{(.*?)\n\t\}/gs)].map(([, region = '', body = '']) => ({
      region,
      currency: region.startsWith('cn-') ? ('CNY' as const) : ('USD' as const),
      date,
      prices: new Map(
        [...body.matchAll(/"([\w.-]+)": ([\d.]+)/g)].map(([, name = '', price]) => [name, Number(price)]),
      ),
    }));
  });
}

function readTypes(): Readonly<Record<string, TypeInfo>> {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-prices-'));
  try {
    execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, MOTO]);
    const wheel = join(folder, readdirSync(folder)[0] ?? '');
    const zipped = execFileSync('unzip', ['-p', wheel, 'moto/ec2/resources/instance_types.json.gz'], {
      maxBuffer: 1e8,
    });
    return JSON.parse(gunzipSync(zipped).toString('utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Without what Kubernetes does not run on, such as Macs. */
function rowOf(info: TypeInfo): readonly unknown[] | undefined {
  const { VCpuInfo, MemoryInfo, ProcessorInfo, NetworkInfo, Hypervisor, InstanceStorageInfo: disks } = info;
  const arch = ProcessorInfo.SupportedArchitectures.map((one) => ARCHITECTURES[one]).find((one) => one !== undefined);
  if (arch === undefined) return undefined;
  const interfaces = NetworkInfo.NetworkCards[NetworkInfo.DefaultNetworkCardIndex]?.MaximumNetworkInterfaces ?? 0;
  const gpu = info.GpuInfo?.Gpus.find(({ Manufacturer }) => Manufacturer === 'NVIDIA');
  const neurons = (info.NeuronInfo?.NeuronDevices ?? []).reduce((sum, { Count }) => sum + Count, 0);
  const nvme = disks?.NvmeSupport === 'unsupported' ? undefined : disks?.TotalSizeInGB;
  return [
    VCpuInfo.DefaultVCpus,
    MemoryInfo.SizeInMiB,
    interfaces * (NetworkInfo.Ipv4AddressesPerInterface - 1) + 2,
    arch,
    {
      'cpu-manufacturer': ProcessorInfo.Manufacturer.toLowerCase(),
      ...(Hypervisor && { hypervisor: Hypervisor }),
      'encryption-in-transit-supported': `${NetworkInfo.EncryptionInTransitSupported ?? false}`,
      ...(nvme && { 'local-nvme': `${nvme}` }),
      ...(gpu && {
        'gpu-manufacturer': 'nvidia',
        'gpu-name': gpu.Name.toLowerCase().replaceAll(' ', '-'),
        'gpu-count': `${gpu.Count}`,
      }),
    },
    { ...(gpu?.Count && { 'nvidia.com/gpu': gpu.Count }), ...(neurons && { 'aws.amazon.com/neuron': neurons }) },
  ];
}
