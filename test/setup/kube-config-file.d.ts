declare const file: string;
export default file;
