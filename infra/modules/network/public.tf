# The way in from outside, where a database has one.

resource "aws_internet_gateway" "way_out" {
  count = var.public ? 1 : 0

  vpc_id = aws_vpc.network.id

  tags = { Name = var.name }
}

resource "aws_subnet" "public" {
  count = var.public ? length(var.availability_zones) : 0

  vpc_id            = aws_vpc.network.id
  availability_zone = var.availability_zones[count.index]
  cidr_block        = cidrsubnet(var.cidr, 8, 100 + count.index)

  tags = { Name = "${var.name}-public-${count.index}" }
}

resource "aws_route_table" "public" {
  count = var.public ? 1 : 0

  vpc_id = aws_vpc.network.id
  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.way_out[0].id
  }

  tags = { Name = "${var.name}-public" }
}

resource "aws_route_table_association" "public" {
  count = length(aws_subnet.public)

  subnet_id      = aws_subnet.public[count.index].id
  route_table_id = aws_route_table.public[0].id
}
