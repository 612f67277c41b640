import {
  CfnParameter,
  type DockerImageAssetLocation,
  type FileAssetLocation,
  FileAssetPackaging,
  type FileAssetSource,
  Fn,
  type ISynthesisSession,
  type Stack,
  StackSynthesizer,
} from 'aws-cdk-lib';

/** The parameters of an exported template: where its zipped functions lie. */
export const PARAMETERS = { bucket: 'AssetsBucket', prefix: 'AssetsPrefix' } as const;
export const DEFAULT_PREFIX = 'headstart/';

/** The name of a zipped folder, by the hash of what is in it. */
export function assetFile(sourceHash: string): string {
  return `${sourceHash}.zip`;
}

/** Takes the functions from a bucket that a parameter names, so that no account has to be bootstrapped for CDK. */
export class ExportSynthesizer extends StackSynthesizer {
  /** The folders to zip, by their hashes; relative to the output of the synth. */
  readonly folders = new Map<string, string>();
  private location: { readonly bucket: string; readonly prefix: string } | undefined;

  override bind(stack: Stack): void {
    super.bind(stack);
    const bucket = new CfnParameter(stack, PARAMETERS.bucket, {
      description: "The bucket that holds the zipped functions, in the stack's region",
    });
    const prefix = new CfnParameter(stack, PARAMETERS.prefix, {
      description: 'What their keys start with',
      default: DEFAULT_PREFIX,
    });
    this.location = { bucket: bucket.valueAsString, prefix: prefix.valueAsString };
  }

  override addFileAsset({ fileName, packaging, sourceHash }: FileAssetSource): FileAssetLocation {
    if (!this.location) throw new Error('the synthesizer is not bound to a stack');
    if (fileName === undefined || packaging !== FileAssetPackaging.ZIP_DIRECTORY)
      throw new Error(`${fileName ?? sourceHash} cannot be exported: only folders of code can`);
    this.folders.set(sourceHash, fileName);
    const { bucket, prefix } = this.location;
    const objectKey = Fn.join('', [prefix, assetFile(sourceHash)]);
    const url = Fn.join('', ['s3://', bucket, '/', objectKey]);
    return { bucketName: bucket, objectKey, httpUrl: url, s3ObjectUrl: url };
  }

  override addDockerImageAsset(): DockerImageAssetLocation {
    throw new Error('container images cannot be exported');
  }

  override synthesize(session: ISynthesisSession): void {
    this.synthesizeTemplate(session);
    this.emitArtifact(session);
  }
}
